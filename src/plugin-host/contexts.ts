import type { Services } from '../kit/services/services.ts'
import { readPluginSetting, settingsOf } from '../resources/plugins/plugin-settings.ts'
import type { ContextCalls } from './running.ts'
import type { PluginOnNode } from './start-plugin.ts'

/** What a plugin may use when nobody's request causes the call. */
export const backgroundCalls =
  ({ database, log }: Pick<Services, 'database' | 'log'>) =>
  ({ key, manifest }: PluginOnNode): ContextCalls => {
    const refuse = async () => {
      throw new Error('nothing can be asked of the service here')
    }
    return {
      setting: (name) =>
        readPluginSetting((text, values) => database.read({ text, values }), key, settingsOf(manifest.settings), name),
      log: (level, message, details) => log[level]({ plugin: key, ...(details !== undefined && { details }) }, message),
      read: refuse,
      send: refuse,
      runLater: refuse,
    }
  }
