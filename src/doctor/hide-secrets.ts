import type { Config } from '../config.ts'
import { decodeUriComponent } from '../kit/values/data-uri.ts'

/** Returns a function that replaces the secrets of the configuration in a text: errors of other programs may quote them. */
export function createSecretFilter(config: Config): (text: string) => string {
  const { secretKey, previousSecretKeys, adminPassword, metricsToken, s3AccessKeyId, s3SecretAccessKey } = config
  const secrets = [secretKey, ...previousSecretKeys, adminPassword, metricsToken, s3AccessKeyId, s3SecretAccessKey]
  const texts = [...secrets, ...listUrlSecrets(config.databaseUrl), ...listUrlSecrets(config.smtpUrl)]
  // the longest first: one may contain another
  const found = texts.filter((text) => text !== undefined && text !== '').sort((a = '', b = '') => b.length - a.length)
  return (text) => found.reduce<string>((result, secret = '') => result.replaceAll(secret, '(not shown)'), text)
}

/** The password of a URL, as it is written there and as it is meant, and the URL itself. */
function listUrlSecrets(text: string | undefined): string[] {
  const url = text === undefined ? undefined : URL.parse(text.replace('@/', '@localhost/'))
  const passwords = [url?.password, url?.searchParams.get('password')].filter(
    (value) => typeof value === 'string' && value !== '',
  )
  return text === undefined || passwords.length === 0
    ? []
    : [text, ...(passwords as string[]).flatMap((one) => [one, decode(one)])]
}

const decode = (text: string): string => decodeUriComponent(text) ?? text
