import { flag } from '../setting.ts'

/** Features available to plugins. */
export const pluginSettings = {
  PLUGIN_ON_STARTUP: flag(
    false,
    'Check plugins on startup',
    'Stockroom always checks at startup that plugins are installed. The setting is only stored.',
    { needsRestart: true, usedBy: 'clients' },
  ),
  PLUGIN_UPDATE_CHECK: flag(
    true,
    'Check for plugin updates',
    'Stockroom does not check for new versions of plugins. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  ENABLE_PLUGINS_URL: flag(false, 'Enable URL integration', 'Plugins can serve URLs under `/plugin/`.'),
  ENABLE_PLUGINS_NAVIGATION: flag(
    false,
    'Enable navigation integration',
    'Stockroom has no plugins that add navigation entries. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  ENABLE_PLUGINS_APP: flag(
    false,
    'Enable app integration',
    'Stockroom has no plugins with database tables of their own. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  ENABLE_PLUGINS_SCHEDULE: flag(false, 'Enable schedule integration', 'Plugins can run scheduled tasks.'),
  ENABLE_PLUGINS_EVENTS: flag(false, 'Enable event integration', 'Plugins can respond to events of the service.'),
  ENABLE_PLUGINS_INTERFACE: flag(
    false,
    'Enable interface integration',
    'Stockroom has no plugins that add to the user interface. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  ENABLE_PLUGINS_MAILS: flag(true, 'Enable mail integration', 'Plugins can send the emails of the service.'),
}
