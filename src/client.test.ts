import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from './paths.ts'
import { installPacked } from './testing/packed.ts'
import { testService } from './testing/service.ts'

const run = promisify(execFile)
const { app, member } = await testService()

describe('the client', () => {
  it('can be packed, installed in an empty project, type-checked and used', async () => {
    const project = await installPacked('client')
    await cp(join(ROOT, 'client/example/reorder.ts'), join(project.folder, 'reorder.ts'))
    await project.checkTypes('reorder.ts')

    const { body: company } = await member.post('/api/company/', { name: 'Bolt & Co', is_supplier: true })
    const { body: category } = await member.post('/api/part/category/', { name: 'Fasteners' })
    const { body: part } = await member.post('/api/part/', { name: 'M3 x 10', category: category.pk })
    for (const quantity of [5, 7]) await member.post('/api/stock/', { part: part.pk, quantity })
    const { body: token } = await member.get('/api/user/token/?name=client')
    const address = app.server.address() as { port: number }
    const env = { STOCKROOM_URL: `http://127.0.0.1:${address.port}`, STOCKROOM_TOKEN: token.token, SUPPLIER: String(company.pk) }
    const { stdout } = await run(process.execPath, ['reorder.ts'], { cwd: project.folder, env: { ...process.env, ...env } })
    assert.deepEqual(stdout.trim().split('\n'), ['2 items in stock', 'PO-9001 is Pending', 'again: 400 reference'])
  })
})
