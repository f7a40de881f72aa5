import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canBeRetried } from './retried.ts'

const story = `import { consoleOf } from '../../testing/console.ts'`

describe('a failed test file', () => {
  it('can be retried if it is a console story', () => {
    assert.ok(canBeRetried('src/console/pages/sign-in/sign-in.test.ts'))
    assert.ok(canBeRetried('src/console/pages/any/any.test.ts', story))
    assert.ok(!canBeRetried('src/console/kit/values/decimal.test.ts', `import assert from 'node:assert'`))
    assert.ok(!canBeRetried('src/resources/any.test.ts', story))
  })

  it('cannot be retried if it is a storm, kill, model or property test, or reads stock quantities', () => {
    for (const text of [
      'a storm of clients',
      `import fc from 'fast-check'`,
      'kill',
      'the model',
      `get('/api/stock/')`,
      'from stock_item',
    ])
      assert.ok(!canBeRetried('src/console/pages/any/any.test.ts', `${story}\n// ${text}`), text)
    for (const page of ['count', 'stock']) assert.ok(!canBeRetried(`src/console/pages/${page}/any.test.ts`, story), page)
  })
})
