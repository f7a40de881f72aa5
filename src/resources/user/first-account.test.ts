import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../config.ts'
import { testService } from '../../testing/service.ts'
import { deriveSetupCode } from '../auth/registration/setup-code.ts'
import { ensureFirstAccount } from './first-account.ts'

const service = await testService()
const SECRET_KEY = service.app.routes.services.config.secretKey as string
const code = deriveSetupCode(service.app.routes.services.secrets)
const start = (environment: Record<string, string> = {}) =>
  ensureFirstAccount(service.pool, loadConfig({ SECRET_KEY, ...environment }))

test('the setup code is printed only while there is no superuser', async () => {
  assert.ok(!(await start()).includes(code))
  await service.rows('update user_account set is_superuser = false')
  assert.match(await start(), new RegExp(`there is no superuser yet.*${code}`))
  await service.rows('delete from user_account')
  assert.match(await start(), new RegExp(`there is no account yet.*${code}`))
})

test('ADMIN_USERNAME creates the first account, and no code is printed', async () => {
  const output = await start({ ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'password of admin' })
  assert.match(output, /^sign in as admin with the password in ADMIN_PASSWORD$/)
  assert.ok(!output.includes(code))
  const [row] = await service.rows('select username, is_superuser from user_account')
  assert.deepEqual(row, { username: 'admin', is_superuser: true })
})
