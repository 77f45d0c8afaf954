"""Al-Khateeb and Kendall: round robin, individual and social learning."""
