import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findRelatedTests } from './changed.ts'

describe('findRelatedTests', () => {
  it('returns the tests in the same folder, those that import the file, and those that changed', () => {
    const projectCodeTests = findRelatedTests(['src/resources/project-code/project-code.table.ts'])
    assert.ok(projectCodeTests.includes('src/resources/project-code/project-code.test.ts'), String(projectCodeTests))
    assert.ok(findRelatedTests(['src/testing/changed.ts']).includes('src/testing/changed.test.ts'))
    assert.deepEqual(findRelatedTests(['src/health.ts', 'src/lockfile.test.ts']), ['src/lockfile.test.ts'])
  })

  it('returns those of the nearest parent folder with tests if the folder has none', () => {
    const tests = findRelatedTests(['src/plugins/zpl/none.ts'])
    assert.ok(tests.includes('src/plugins/plugins.test.ts'), String(tests))
  })

  it('returns few tests for most modules, and none for documents', () => {
    assert.deepEqual(findRelatedTests(['docs/development.md', 'package.json']), [])
    assert.ok(findRelatedTests(['src/kit/values/json.ts']).length < 40)
  })
})
