"""finch: an investment adviser of four bots in one room, after Gatti de Bayser et al. 2018."""
