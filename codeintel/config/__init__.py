"""Settings: what they are called, what they mean, where they come from."""

from codeintel.config.load import LoadedSettings, SettingError, load_settings
from codeintel.config.settings import SETTINGS, SettingInfo, Settings

__all__ = [
    "SETTINGS",
    "LoadedSettings",
    "SettingError",
    "SettingInfo",
    "Settings",
    "load_settings",
]
