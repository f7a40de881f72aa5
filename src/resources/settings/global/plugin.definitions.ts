import { flag } from '../setting.ts'

/** What plugins may do. */
export const pluginSettings = {
  PLUGIN_ON_STARTUP: flag(
    false,
    'Check plugins on startup',
    'The start checks that every plugin is installed, for services of which it does so only when told: this one does in any case.',
    { needsRestart: true },
  ),
  PLUGIN_UPDATE_CHECK: flag(true, 'Check for plugin updates', 'The service looks for new versions of plugins. No effect yet.'),
  ENABLE_PLUGINS_URL: flag(false, 'Enable URL integration', 'Plugins may answer at addresses of their own, under `/plugin/`.'),
  ENABLE_PLUGINS_NAVIGATION: flag(
    false,
    'Enable navigation integration',
    'Plugins may add entries to the navigation of interfaces. No effect yet.',
  ),
  ENABLE_PLUGINS_APP: flag(
    false,
    'Enable app integration',
    'Plugins may add tables of their own to the database. No effect yet.',
  ),
  ENABLE_PLUGINS_SCHEDULE: flag(false, 'Enable schedule integration', 'Plugins may do things at set times.'),
  ENABLE_PLUGINS_EVENTS: flag(false, 'Enable event integration', 'Plugins may act on what happens in the service.'),
}
