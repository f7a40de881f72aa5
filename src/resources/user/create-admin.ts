import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Config } from '../../config.ts'
import { withDatabase } from '../../database/with-database.ts'
import { OperatorError } from '../../operator-error.ts'
import { createSuperuser } from './first-account.ts'

/** Creates a superuser; prompts for a missing name or password, hiding the password. */
export async function createAdmin(
  config: Config,
  options: { username?: string; password?: string; email?: string },
): Promise<void> {
  const username = options.username || (await promptUser('Username: '))
  const password = options.password || (await promptUser('Password (8 characters or more): ', true))
  if (!/^[\w.@+-]{1,150}$/.test(username)) throw new OperatorError('a username has 1 to 150 letters, digits or any of @ . + - _')
  if (password.length < 8 || password.length > 128) throw new OperatorError('a password has 8 to 128 characters')
  await withDatabase(config, (pool) =>
    createSuperuser(pool, { username, password, email: options.email ?? config.adminEmail ?? '' }),
  )
  console.log(`Created the superuser ${username}.`)
}

async function promptUser(question: string, hidden = false): Promise<string> {
  if (!process.stdin.isTTY) throw new OperatorError('give --username, and the password in ADMIN_PASSWORD')
  const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: hidden ? mutedOutput : process.stdout, terminal: true })
  if (hidden) process.stdout.write(question)
  try {
    return (await terminal.question(hidden ? '' : question)).trim()
  } finally {
    terminal.close()
    if (hidden) process.stdout.write('\n')
  }
}
