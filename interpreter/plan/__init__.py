"""The last language before the printers: functions over one list of numbers, as trees."""
