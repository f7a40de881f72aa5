import { type Key, t } from '../../../kit/language/language.ts'

/** Names of the kinds of emails. A test finds kinds without one. */
export const MAIL_KINDS = {
  verify: 'operation.mail.kind.verify',
  reset: 'operation.mail.kind.reset',
  password_link: 'operation.mail.kind.reset',
  sign_in: 'operation.mail.kind.sign_in',
  invitation: 'operation.mail.kind.invitation',
  welcome: 'operation.mail.kind.welcome',
  password_changed: 'operation.mail.kind.password_changed',
  address_changed: 'operation.mail.kind.address_changed',
  address_taken: 'operation.mail.kind.address_taken',
  second_factor_on: 'operation.mail.kind.second_factor_on',
  second_factor_off: 'operation.mail.kind.second_factor_off',
  social_linked: 'operation.mail.kind.social_linked',
  notification: 'operation.mail.kind.notification',
  test: 'operation.mail.kind.test',
} as const satisfies Record<string, Key>

/** The name of a kind of email; of one that the console does not know, the kind itself. */
export const getMailKindName = (kind: string): string =>
  kind in MAIL_KINDS ? t(MAIL_KINDS[kind as keyof typeof MAIL_KINDS]) : kind.replaceAll('_', ' ')
