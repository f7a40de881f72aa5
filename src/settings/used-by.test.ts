import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../paths.ts'
import { globalSettings, userSettings } from './registry.ts'
import type { Setting } from './setting.ts'

/** Code that names every setting, whether it obeys it or not. */
const NAMES_ALL =
  /^(settings\/(global|user)\/|resources\/web\/settings\/|importing\/|specification\/|testing\/|demo\/|console\/pages\/settings\/)|\.test\.tsx?$|fixture\.ts$/

/** Settings that code reads by a computed key, with the code that does it. */
const COMPUTED_KEYS: Record<string, string> = {
  _REFERENCE_PATTERN: 'resources/order/next-reference.ts',
  _REQUIRE_RESPONSIBLE: 'resources/order/order-rules.ts',
}

/** All code of `src`, without comments, that could read a setting: of the service, and of the console. */
function readCode(): { service: string; console: string } {
  const code = { service: '', console: '' }
  for (const file of globSync('**/*.{ts,tsx}', { cwd: join(ROOT, 'src') })) {
    if (NAMES_ALL.test(file)) continue
    const text = readFileSync(join(ROOT, 'src', file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*/g, '')
    code[file.startsWith('console/') ? 'console' : 'service'] += text
  }
  return code
}

describe('the code that a setting affects', () => {
  const code = readCode()
  const names = (text: string, key: string) => new RegExp(`\\b${key}\\b`).test(text)
  const suffixes = Object.keys(COMPUTED_KEYS)

  it('is what reads it: `usedBy` of each definition', () => {
    const settings: Record<string, Setting> = { ...globalSettings, ...userSettings }
    const wrong = Object.entries(settings).flatMap(([key, { usedBy = 'service' }]) => {
      const isComputed = suffixes.some((suffix) => key.endsWith(suffix))
      const reader = isComputed || names(code.service, key) ? 'service' : names(code.console, key) ? 'console' : 'clients'
      return usedBy === reader ? [] : [`${key} says ${usedBy}, and is read by ${reader}`]
    })
    assert.deepEqual(wrong, [])
  })

  it('reads settings by a computed key only where it is named here', () => {
    for (const [suffix, file] of Object.entries(COMPUTED_KEYS))
      assert.match(readFileSync(join(ROOT, 'src', file), 'utf8'), new RegExp(suffix), file)
  })
})
