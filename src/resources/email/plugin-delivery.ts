import type { Services } from '../../kit/services/services.ts'
import { PluginFailure } from '../../plugin-host/running.ts'
import { type Deliver, DeliveryError } from './transport.ts'

/** The function of plugins that send emails. */
export const SENDS_MAILS = 'mail.send'

/** Sends emails through plugins, if one provides it: the first one that does receives the email, otherwise `own` sends it. */
export const createPluginDelivery =
  ({ plugins }: Pick<Services, 'plugins'>, own: Deliver): Deliver =>
  async (message, signal) => {
    const [plugin] = plugins.withHook(SENDS_MAILS)
    const [absent] = plugins.missingFor(SENDS_MAILS)
    if (!plugin && absent !== undefined)
      throw new DeliveryError('refused', `the plugin ${absent}, which sends mail, is enabled but does not run here`)
    if (!plugin) return own(message, signal)
    const { to, subject, text, html } = message
    try {
      await plugin.call([{ to, subject, text, html }])
    } catch (error) {
      // a plugin that throws reports that the email was not sent; one that ends or does not respond leaves the outcome unknown
      const isSaid = error instanceof PluginFailure && error.reason === 'thrown'
      throw new DeliveryError(isSaid ? 'refused' : 'unknown', `${plugin.key}: ${(error as Error).message}`)
    }
  }
