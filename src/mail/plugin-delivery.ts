import type { Services } from '../kit/services/services.ts'
import { PluginFailure } from '../plugin-host/running.ts'
import { type Deliver, DeliveryError } from './transport.ts'

/** The function of plugins that send mails. */
export const SENDS_MAILS = 'mail.send'

/** The way mails leave when plugins may send them in place of the service: the first that does is given them, else they leave by `own`. */
export const throughPlugins =
  ({ plugins }: Pick<Services, 'plugins'>, own: Deliver): Deliver =>
  async (message, signal) => {
    const [plugin] = plugins.having(SENDS_MAILS)
    const [absent] = plugins.absent(SENDS_MAILS)
    if (!plugin && absent !== undefined)
      throw new DeliveryError('refused', `the plugin ${absent}, which sends mail, is enabled but does not run here`)
    if (!plugin) return own(message, signal)
    const { to, subject, text, html } = message
    try {
      await plugin.call([{ to, subject, text, html }])
    } catch (error) {
      // one that throws says so that the mail did not leave; of one that ends or says nothing, nobody knows
      const isSaid = error instanceof PluginFailure && error.reason === 'thrown'
      throw new DeliveryError(isSaid ? 'refused' : 'unknown', `${plugin.key}: ${(error as Error).message}`)
    }
  }
