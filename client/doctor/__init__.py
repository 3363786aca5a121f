"""The findings of `sobremesa doctor`: this machine, its terminal, its firewall."""
