/** What a mail says, before it is put into its parts. */
export type Letter = {
  subject: string
  paragraphs: readonly string[]
  /** What the reader may follow, and what it is called. */
  link?: { label: string; url: string }
  /** What stands below the link. */
  after?: readonly string[]
}

/** What the wording of a mail may name. */
export type Occasion = {
  /** The name of this installation. */
  instance: string
  /** The address of this installation, without a slash at its end. */
  site: string
  username: string
  /** The mail address it is sent to. */
  address: string
  /** The secret of the mail's link, and how the link names the account. */
  token: string
  uid: string
  /** What a notification says: in a few words, in a sentence, the name of its object, and that object's page below the site. */
  news?: { name: string; message: string; about: string; link?: string }
}

const NOT_YOU = 'If you did not ask for this, nothing has to be done: without this mail nobody can go on.'
const NOT_YOU_CHANGED = 'If it was not you, set a new password at once and tell whoever runs this service.'

const NOT_YOU_LINKED =
  'If it was not you, disconnect it, set a new password at once and tell whoever runs this service: a new password alone leaves the link as it is.'

const passwordLink = ({ site, uid, token }: Occasion) => `${site}/platform/set-password?uid=${uid}&token=${token}`

/** The wording of every mail, by its kind. */
export const letters = {
  verify: ({ site, instance, address, token }) => ({
    subject: 'Please confirm your mail address',
    paragraphs: [
      `Please confirm that ${address} is your mail address at ${instance}.`,
      'The link is good for three days, and once.',
    ],
    link: { label: 'Confirm the address', url: `${site}/accounts/confirm-email/${token}/` },
    after: [`Where a program asks for the key instead, it is ${token}`, NOT_YOU],
  }),
  reset: (occasion) => ({
    subject: 'Set a new password',
    paragraphs: [
      `Somebody asked for a new password for your account at ${occasion.instance}. Your user name is ${occasion.username}.`,
      'The link is good for one day, and once.',
    ],
    link: { label: 'Set a new password', url: passwordLink(occasion) },
    after: [NOT_YOU],
  }),
  sign_in: ({ site, instance, token }) => ({
    subject: 'Your link to sign in',
    paragraphs: [`This link signs you in at ${instance}. It is good for five minutes, and once.`],
    link: { label: 'Sign in', url: `${site}/api/email/login/?token=${token}` },
    after: [NOT_YOU],
  }),
  welcome: (occasion) => ({
    subject: 'Your new account',
    paragraphs: [
      `An account was made for you at ${occasion.instance}. Your user name is ${occasion.username}.`,
      'Set a password to begin. The link is good for three days, and once; after that, ask for a new password.',
    ],
    link: { label: 'Set a password', url: passwordLink(occasion) },
  }),
  password_changed: ({ instance }) => ({
    subject: 'Your password was changed',
    paragraphs: [`The password of your account at ${instance} was changed.`, NOT_YOU_CHANGED],
  }),
  address_changed: ({ instance }) => ({
    subject: 'Your mail address was changed',
    paragraphs: [`This is no longer the mail address of your account at ${instance}.`, NOT_YOU_CHANGED],
  }),
  address_taken: ({ instance, address, username, site }) => ({
    subject: 'You have an account already',
    paragraphs: [
      `Somebody tried to register at ${instance} with the address ${address}, which belongs to your account ${username}.`,
      'If it was you, sign in with this account; if you do not know its password any more, ask for a new one. If it was not you, nothing has to be done.',
    ],
    link: { label: instance, url: site },
  }),
  second_factor_on: ({ instance }) => ({
    subject: 'A second factor was set up',
    paragraphs: [
      `Your account at ${instance} asks for a second factor now. Every browser and program that was signed in has to sign in again.`,
      NOT_YOU_CHANGED,
    ],
  }),
  second_factor_off: ({ instance }) => ({
    subject: 'Your second factor was removed',
    paragraphs: [`Your account at ${instance} asks for no second factor any more.`, NOT_YOU_CHANGED],
  }),
  social_linked: ({ instance }) => ({
    subject: 'Another way to sign in was added',
    paragraphs: [
      `Your account at ${instance} was linked to an account at a provider of single sign-on: whoever signs in there is let in.`,
      NOT_YOU_LINKED,
    ],
  }),
  notification: ({ site, news }) => ({
    subject: news?.name ?? '',
    paragraphs: [news?.message ?? ''],
    link: news?.link === undefined ? undefined : { label: news.about, url: `${site}${news.link}` },
    after: ['You are told because you look after it or follow it. Your notification settings say whether you are told by mail.'],
  }),
} satisfies Record<string, (occasion: Occasion) => Letter>

export type MailKind = keyof typeof letters

/** A letter as plain text. */
export function asText({ paragraphs, link, after = [] }: Letter, { username, instance, site }: Occasion): string {
  const parts = [`Hello ${username},`, ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after]
  return `${parts.join('\n\n')}\n\n-- \n${instance}\n${site}\n`
}

/** A letter as HTML. Whatever is inserted is escaped. */
export function asHtml({ paragraphs, link, after = [] }: Letter, { username, instance, site }: Occasion): string {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  const url = link && escaped(link.url)
  return [
    '<!doctype html>',
    '<html lang="en"><body style="font-family: sans-serif; line-height: 1.5">',
    paragraph(`Hello ${username},`),
    ...paragraphs.map(paragraph),
    ...(link ? [`<p><a href="${url}">${escaped(link.label)}</a><br><small>${url}</small></p>`] : []),
    ...after.map(paragraph),
    `<hr><p><small>${escaped(instance)}, <a href="${escaped(site)}">${escaped(site)}</a></small></p>`,
    '</body></html>',
  ].join('\n')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
