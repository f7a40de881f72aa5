import { flag } from '../setting.ts'

/** What plugins may do. */
export const pluginSettings = {
  PLUGIN_ON_STARTUP: flag(
    false,
    'Check plugins on startup',
    'The start checks that every plugin is installed, for services of which it does so only when told: this one does in any case.',
    { needsRestart: true },
  ),
  PLUGIN_UPDATE_CHECK: flag(
    true,
    'Check for plugin updates',
    'Stockroom does not look for new versions of plugins. The setting is only stored.',
  ),
  ENABLE_PLUGINS_URL: flag(false, 'Enable URL integration', 'Plugins may answer at addresses of their own, under `/plugin/`.'),
  ENABLE_PLUGINS_NAVIGATION: flag(
    false,
    'Enable navigation integration',
    'Stockroom has no plugins that add entries to the navigation of interfaces. The setting is only stored.',
  ),
  ENABLE_PLUGINS_APP: flag(
    false,
    'Enable app integration',
    'Stockroom has no plugins with tables of their own in the database. The setting is only stored.',
  ),
  ENABLE_PLUGINS_SCHEDULE: flag(false, 'Enable schedule integration', 'Plugins may do things at set times.'),
  ENABLE_PLUGINS_EVENTS: flag(false, 'Enable event integration', 'Plugins may act on what happens in the service.'),
}
