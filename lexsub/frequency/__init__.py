"""How often words occur: frequency lists by name, for ordering candidates."""

from lexsub.frequency.registry import FREQUENCIES, Frequencies, FrequencyList

__all__ = ["FREQUENCIES", "Frequencies", "FrequencyList"]
