import { flag } from '../setting.ts'

/** What plugins may do. */
export const pluginSettings = {
  PLUGIN_ON_STARTUP: flag(false, 'Check at start', 'Check at start that every plugin is installed.', { needsRestart: true }),
  PLUGIN_UPDATE_CHECK: flag(true, 'Look for updates', 'Look for new versions of plugins.'),
  ENABLE_PLUGINS_URL: flag(false, 'Addresses', 'Plugins may answer at addresses of their own.'),
  ENABLE_PLUGINS_NAVIGATION: flag(false, 'Navigation', 'Plugins may add entries to the navigation.'),
  ENABLE_PLUGINS_APP: flag(false, 'Applications', 'Plugins may add tables of their own.'),
  ENABLE_PLUGINS_SCHEDULE: flag(false, 'Schedules', 'Plugins may run tasks on a schedule.'),
  ENABLE_PLUGINS_EVENTS: flag(false, 'Events', 'Plugins may react to events.'),
}
