import type { Services } from '../../kit/services/services.ts'
import { PluginFailure } from '../../plugin-host/running.ts'
import { type Deliver, DeliveryError } from './transport.ts'

/** The function of plugins that send emails. */
export const SEND_MAIL_HOOK = 'mail.send'

/** Whether a mail server, or a plugin that sends email, is configured. Without one, emails are only written to files. */
export const isMailConfigured = ({ config, plugins }: Pick<Services, 'config' | 'plugins'>): boolean =>
  config.smtpUrl !== undefined || plugins.withHook(SEND_MAIL_HOOK).length > 0

/** Sends emails through the first plugin that can send them; without such a plugin, `deliverDirectly` sends them. */
export const createPluginDelivery =
  ({ plugins }: Pick<Services, 'plugins'>, deliverDirectly: Deliver): Deliver =>
  async (message, signal) => {
    const [plugin] = plugins.withHook(SEND_MAIL_HOOK)
    const [inactivePlugin] = plugins.missingFor(SEND_MAIL_HOOK)
    if (!plugin && inactivePlugin !== undefined)
      throw new DeliveryError('refused', `the plugin ${inactivePlugin}, which sends email, is enabled but does not run here`)
    if (!plugin) return deliverDirectly(message, signal)
    const { to, subject, text, html } = message
    try {
      await plugin.call([{ to, subject, text, html }])
    } catch (error) {
      // a plugin that throws reports that the email was not sent; one that ends or does not respond leaves the outcome unknown
      const isRejected = error instanceof PluginFailure && error.reason === 'thrown'
      throw new DeliveryError(isRejected ? 'refused' : 'unknown', `${plugin.key}: ${(error as Error).message}`)
    }
  }
