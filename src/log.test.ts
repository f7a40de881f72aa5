import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedPath } from './log.ts'

test('the log of requests knows no secret of a link', () => {
  assert.equal(loggedPath('/accounts/confirm-email/a-secret/?x=y'), '/accounts/confirm-email/.../')
  assert.equal(loggedPath('/api/email/login/?token=a-secret'), '/api/email/login/')
  assert.equal(loggedPath('/platform/set-password?uid=1&token=a-secret'), '/platform/set-password')
  assert.equal(loggedPath('/api/order/po/7/'), '/api/order/po/7/')
})
