import type { Services } from '../../kit/services/services.ts'
import { PluginFailure } from '../../plugin-host/running.ts'
import { setting } from '../../settings/live.ts'
import { type Deliver, DeliveryError } from './transport.ts'

/** The function of plugins that send emails. */
export const SEND_MAIL_HOOK = 'mail.send'

/** Whether a mail server, or a plugin that sends email, is configured. Without one, emails are only written to files. */
export const isMailConfigured = (services: Pick<Services, 'config' | 'plugins' | 'settings'>): boolean =>
  services.config.smtpUrl !== undefined || (canPluginsSend(services) && services.plugins.withHook(SEND_MAIL_HOOK).length > 0)

const canPluginsSend = (services: Pick<Services, 'settings'>): boolean => setting(services, 'ENABLE_PLUGINS_MAILS')

/** Sends emails through the first plugin that can send them; without such a plugin, or with ENABLE_PLUGINS_MAILS off, `deliverDirectly` sends them. */
export const createPluginDelivery =
  (services: Pick<Services, 'plugins' | 'settings'>, deliverDirectly: Deliver): Deliver =>
  async (message, signal) => {
    const { plugins } = services
    if (!canPluginsSend(services)) return deliverDirectly(message, signal)
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
    return undefined
  }
