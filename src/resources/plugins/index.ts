import type { Endpoint } from '../../kit/definition/action.ts'
import type { Services } from '../../kit/services/services.ts'
import { activateActions } from './activate.action.ts'
import { changePluginActions } from './change-plugin.action.ts'
import { installPlugin } from './install/install.action.ts'
import { pluginInterfaceViews } from './interface.view.ts'
import { metadataActions } from './metadata.action.ts'
import { reloadPlugins } from './reload.action.ts'
import { pluginSettingActions } from './settings.action.ts'
import { readStatus } from './status.view.ts'
import { uninstallActions } from './uninstall/uninstall.action.ts'
import { pluginUserSettingActions } from './user-settings.action.ts'

/** Endpoints of plugins other than list and detail. */
export const pluginActions = (services: Pick<Services, 'config'>): readonly Endpoint[] => [
  ...changePluginActions,
  ...activateActions,
  ...metadataActions,
  installPlugin,
  ...uninstallActions,
  reloadPlugins,
  readStatus,
  ...pluginInterfaceViews,
  ...pluginSettingActions(services),
  ...pluginUserSettingActions(services),
]
