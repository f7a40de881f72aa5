/** The content of an email before it is formatted. */
export type MailText = {
  subject: string
  paragraphs: readonly string[]
  /** The URL of the email's link, and its label. */
  link?: { label: string; url: string }
  /** The text below the link. */
  after?: readonly string[]
}

/** The values that the wording of an email may use. */
export type MailContext = {
  /** The name of this installation. */
  instance: string
  /** The address of this installation, without a slash at its end. */
  site: string
  username: string
  /** The recipient's email address. */
  address: string
  /** The secret of the email's link, and the name of the account in the link. */
  token: string
  uid: string
  /** The content of a notification: a title, a sentence, the name of its object, and that object's page below the site. */
  notificationText?: { name: string; message: string; about: string; link?: string }
}

const NOT_YOU = 'If you did not request this, ignore this mail: no one can continue without it.'
const NOT_YOU_CHANGED = 'If this was not you, set a new password immediately and notify the operator of this service.'

const NOT_YOU_LINKED =
  'If this was not you, unlink it, set a new password immediately and notify the operator of this service: a new password alone does not remove the link.'

/** The URL of the page that sets a new password. */
export const buildPasswordUrl = ({ site, uid, token }: Pick<MailContext, 'site' | 'uid' | 'token'>): string =>
  `${site}/platform/set-password?uid=${uid}&token=${token}`

/** The URL of the page that accepts an invitation. Browsers do not send the token after `#` to the service, so that no log has it. */
export const buildInvitationUrl = (site: string, token: string): string => `${site}/invitation/#${token}`

/** The wording of each kind of email. */
export const mailTexts = {
  verify: ({ site, instance, address, token }) => ({
    subject: 'Please confirm your email address',
    paragraphs: [
      `Please confirm that ${address} is your email address at ${instance}.`,
      'The link is valid for three days, and only once.',
    ],
    link: { label: 'Confirm the address', url: `${site}/accounts/confirm-email/${token}/` },
    after: [`If a program asks for the key instead, it is ${token}`, NOT_YOU],
  }),
  reset: (context) => ({
    subject: 'Set a new password',
    paragraphs: [
      `A new password was requested for your account at ${context.instance}. Your username is ${context.username}.`,
      'The link is valid for one day, and only once.',
    ],
    link: { label: 'Set a new password', url: buildPasswordUrl(context) },
    after: [NOT_YOU],
  }),
  password_link: (context) => ({
    subject: 'Set a new password',
    paragraphs: [
      `An administrator of ${context.instance} has sent you a link to set a new password. Your username is ${context.username}.`,
      'The link is valid for one day, and only once. Until you use it, your current password remains valid.',
    ],
    link: { label: 'Set a new password', url: buildPasswordUrl(context) },
  }),
  invitation: ({ site, instance, token }) => ({
    subject: 'You are invited',
    paragraphs: [
      `You are invited to ${instance}. Choose a username and a password to create your account.`,
      'The link is valid only once. Anyone who opens it gets the account: do not forward this email.',
    ],
    link: { label: 'Accept the invitation', url: buildInvitationUrl(site, token) },
  }),
  sign_in: ({ site, instance, token }) => ({
    subject: 'Your sign-in link',
    paragraphs: [`This link signs you in at ${instance}. It is valid for five minutes, and only once.`],
    link: { label: 'Sign in', url: `${site}/api/email/login/?token=${token}` },
    after: [NOT_YOU],
  }),
  welcome: (context) => ({
    subject: 'Your new account',
    paragraphs: [
      `An account was created for you at ${context.instance}. Your username is ${context.username}.`,
      'Set a password to start. The link is valid for three days, and only once; after that, request a new password.',
    ],
    link: { label: 'Set a password', url: buildPasswordUrl(context) },
  }),
  password_changed: ({ instance }) => ({
    subject: 'Your password was changed',
    paragraphs: [`The password of your account at ${instance} was changed.`, NOT_YOU_CHANGED],
  }),
  address_changed: ({ instance }) => ({
    subject: 'Your email address was changed',
    paragraphs: [`This is no longer the email address of your account at ${instance}.`, NOT_YOU_CHANGED],
  }),
  address_taken: ({ instance, address, username, site }) => ({
    subject: 'You already have an account',
    paragraphs: [
      `Someone tried to register at ${instance} with the address ${address}, which belongs to your account ${username}.`,
      'If this was you, sign in with this account; if you have forgotten its password, request a new one. If this was not you, ignore this email.',
    ],
    link: { label: instance, url: site },
  }),
  second_factor_on: ({ instance }) => ({
    subject: 'A second factor was enabled',
    paragraphs: [
      `Your account at ${instance} now requires a second factor. All browsers and programs have to sign in again.`,
      NOT_YOU_CHANGED,
    ],
  }),
  second_factor_off: ({ instance }) => ({
    subject: 'Your second factor was removed',
    paragraphs: [`Your account at ${instance} no longer requires a second factor.`, NOT_YOU_CHANGED],
  }),
  social_linked: ({ instance }) => ({
    subject: 'A sign-in method was added',
    paragraphs: [
      `Your account at ${instance} was linked to an account at a single sign-on provider, which can now be used to sign in.`,
      NOT_YOU_LINKED,
    ],
  }),
  test: ({ instance, site }) => ({
    subject: 'Test email',
    paragraphs: [`You requested this email to find out whether ${instance} can send emails to you: it can.`],
    link: { label: 'Sent emails', url: `${site}/settings/mail/` },
  }),
  notification: ({ site, notificationText }) => ({
    subject: notificationText?.name ?? '',
    paragraphs: [notificationText?.message ?? ''],
    link:
      notificationText?.link === undefined
        ? undefined
        : { label: notificationText.about, url: `${site}${notificationText.link}` },
    after: [
      'You receive this because you are responsible for it or subscribed to it. Your notification settings control these emails.',
    ],
  }),
} satisfies Record<string, (context: MailContext) => MailText>

export type MailKind = keyof typeof mailTexts

/** Formats an email as plain text. */
export function renderText({ paragraphs, link, after = [] }: MailText, { username, instance, site }: MailContext): string {
  const parts = [`Hello ${username},`, ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after]
  return `${parts.join('\n\n')}\n\n-- \n${instance}\n${site}\n`
}

/** Formats an email as HTML. All inserted values are escaped. */
export function renderHtml({ paragraphs, link, after = [] }: MailText, { username, instance, site }: MailContext): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const url = link && escapeHtml(link.url)
  return [
    '<!doctype html>',
    '<html lang="en"><body style="font-family: sans-serif; line-height: 1.5">',
    paragraph(`Hello ${username},`),
    ...paragraphs.map(paragraph),
    ...(link ? [`<p><a href="${url}">${escapeHtml(link.label)}</a><br><small>${url}</small></p>`] : []),
    ...after.map(paragraph),
    `<hr><p><small>${escapeHtml(instance)}, <a href="${escapeHtml(site)}">${escapeHtml(site)}</a></small></p>`,
    '</body></html>',
  ].join('\n')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
