import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../paths.ts'
import { runInProcess } from '../plugin-host/in-process.ts'
import { builtInPlugins, getEntryPath } from './index.ts'

const folder = join(ROOT, 'src/plugins')
const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !/^index\.|\.test\./.test(name))

test('every built-in plugin is in the list, under the name of its file', async () => {
  assert.deepEqual(names.map((name) => name.replace('.ts', '')).sort(), builtInPlugins.map(({ slug }) => slug).sort())
  for (const plugin of builtInPlugins) {
    const running = await runInProcess({ entry: getEntryPath(plugin), folder }, () => {})
    assert.equal(running.manifest.slug, plugin.slug)
    await running.stop()
  }
})

test('built-in plugins import only the public plugin API, Node and their own folder', () => {
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8')
    const imported = [...text.matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => specifier)
    const others = imported.filter((specifier) => !/^(node:|\.\/[a-z]+\/)/.test(specifier as string))
    assert.deepEqual(new Set(others), new Set(['../plugin-api/index.ts']), name)
  }
})
