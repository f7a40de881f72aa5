import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testsOf } from './changed.ts'

describe('the tests of what changed', () => {
  it('are those of its folder, those that import it, and those that changed', () => {
    const ofProjectCodes = testsOf(['src/resources/project-code/project-code.table.ts'])
    assert.ok(ofProjectCodes.includes('src/resources/project-code/project-code.test.ts'), String(ofProjectCodes))
    assert.ok(testsOf(['src/testing/changed.ts']).includes('src/testing/changed.test.ts'))
    assert.deepEqual(testsOf(['src/health.ts', 'src/lockfile.test.ts']), ['src/lockfile.test.ts'])
  })

  it('are those of the nearest folder above where its own has none', () => {
    const found = testsOf(['src/plugins/zpl/none.ts'])
    assert.ok(found.includes('src/plugins/plugins.test.ts'), String(found))
  })

  it('are few for most modules, and none for documents', () => {
    assert.deepEqual(testsOf(['docs/codemap.md', 'package.json']), [])
    assert.ok(testsOf(['src/kit/values/json.ts']).length < 40)
  })
})
