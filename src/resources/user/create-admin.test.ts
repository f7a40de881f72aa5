import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../../paths.ts'
import { childEnvironment } from '../../testing/child-environment.ts'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'

const service = await testService()

/** Runs the command without a terminal, like a script. */
function runCommand(options: string[], environment: Record<string, string>) {
  const env = { ...childEnvironment, DATABASE_URL: service.databaseUrl, ...environment }
  const command = [join(ROOT, 'src/stockroom.js'), 'admin', 'create', ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env,
    encoding: 'utf8',
    timeout: scaleTimeout(60_000),
  })
  return { status, output: stdout + stderr }
}

describe('stockroom admin create', () => {
  const ADMIN_PASSWORD = 'a password of scripts'

  it('takes the name from its option, and the password from ADMIN_PASSWORD alone', async () => {
    const result = runCommand(['--username', 'script', '--email', 'script@example.org'], { ADMIN_PASSWORD })
    assert.deepEqual([result.status, result.output], [0, 'Created the superuser script.\n'])
    const [row] = await service.rows(`select email, is_superuser from user_account where username = 'script'`)
    assert.deepEqual(row, { email: 'script@example.org', is_superuser: true })
    const signedIn = await service.nobody.post('/api/auth/login/', { username: 'script', password: ADMIN_PASSWORD })
    assert.equal(signedIn.status, 200, signedIn.text)
  })

  it('takes both from the environment, with precedence for the option', async () => {
    const environment = { ADMIN_USERNAME: 'environment', ADMIN_PASSWORD }
    assert.match(runCommand([], environment).output, /Created the superuser environment/)
    assert.match(runCommand(['--username', 'option'], environment).output, /Created the superuser option/)
  })

  it('reports missing or invalid values when there is no terminal to prompt on', () => {
    for (const [options, environment, expectedOutput] of [
      [[], { ADMIN_PASSWORD }, /give --username, and the password in ADMIN_PASSWORD/],
      [['--username', 'script'], {}, /give --username, and the password in ADMIN_PASSWORD/],
      [['--username', 'short'], { ADMIN_PASSWORD: 'short' }, /a password has 8 to 128 characters/],
      [['--username', 'with space'], { ADMIN_PASSWORD }, /a username has 1 to 150/],
    ] as [string[], Record<string, string>, RegExp][]) {
      const { status, output } = runCommand(options, environment)
      assert.equal(status, 1)
      assert.match(output, expectedOutput)
    }
  })
})
