"""Settings: what they are called, what they mean, where they come from."""

from codeintel.config.load import LoadedSettings, load_settings, try_settings
from codeintel.config.settings import SETTINGS, SettingInfo, Settings
from codeintel.setting_values import SettingError

__all__ = [
    "SETTINGS",
    "LoadedSettings",
    "SettingError",
    "SettingInfo",
    "Settings",
    "load_settings",
    "try_settings",
]
