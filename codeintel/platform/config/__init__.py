"""Settings: their names, their meanings and their origins."""

from codeintel.base.setting_values import SettingError
from codeintel.platform.config.load import LoadedSettings, load_settings, try_settings
from codeintel.platform.config.settings import SETTINGS, SettingInfo, Settings

__all__ = [
    "SETTINGS",
    "LoadedSettings",
    "SettingError",
    "SettingInfo",
    "Settings",
    "load_settings",
    "try_settings",
]
