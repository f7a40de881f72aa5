// Compares the rights of callers with recorded ones: which operations InvenTree refuses an anonymous caller and the demo accounts.

/** The demo accounts: one that may only view, one with some roles, one with every role. */
const PASSWORDS = { reader: 'readonly', engineer: 'partsonly', allaccess: 'nolimits' }
const ADMINISTRATOR = { username: 'admin', password: 'inventree' }

/** The order of requests: those that delete objects come last. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

const authorize = (username, password) => ({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

/** Returns the kind of rejection; any other status means that the caller has the right, whatever else is wrong. */
const classify = (status) => (status === 401 ? 'anonymous' : status === 403 ? 'forbidden' : 'allowed')

/**
 * Sends every recorded operation without a body as every caller, and returns verdicts like those of a replay: the area, the line, and
 * whether the response is of the same kind.
 * @param recorded statuses by operation and caller
 * @param differences intended differences, each with `where` and `why`
 */
export async function compareRights(base, recorded, differences) {
  const keys = new Map()
  /** The key of the first object of a list. */
  async function readKey(list) {
    if (!keys.has(list)) {
      const response = await fetch(`${base}${list}?limit=1`, { headers: authorize(ADMINISTRATOR.username, ADMINISTRATOR.password) })
      const body = await response.json().catch(() => undefined)
      keys.set(list, (body?.results ?? body)?.[0]?.pk ?? 1)
    }
    return keys.get(list)
  }
  /** Fills in the keys of a path, from the left. */
  async function resolve(template) {
    let path = ''
    for (const [index, part] of template.replace('{model}', 'part').split('{id}').entries())
      path = index === 0 ? part : `${path}${await readKey(path.replace('/metadata/part/', '/part/'))}${part}`
    return path
  }
  const operations = Object.entries(recorded)
    .map(([operation, statuses]) => ({ method: operation.split(' ')[0], template: operation.split(' ')[1], statuses }))
    .sort((one, other) => METHODS.indexOf(one.method) - METHODS.indexOf(other.method))
  const verdicts = []
  for (const { method, template, statuses } of operations) {
    // the recording had no such object
    if (Object.values(statuses).every((status) => status === 404 || status === 401)) continue
    const path = await resolve(template)
    for (const [caller, status] of Object.entries(statuses)) {
      // old paths of metadata only redirect there, and a failure tells nothing
      if (status === 301 || status >= 500) continue
      const headers = { 'content-type': 'application/json', ...(caller in PASSWORDS ? authorize(caller, PASSWORDS[caller]) : {}) }
      const response = await fetch(base + path, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) })
      await response.arrayBuffer()
      const exchange = `rights ${method} ${template} ${caller}`
      verdicts.push({
        area: 'rights',
        exchange,
        ok: classify(status) === classify(response.status),
        why: differences.find(({ where }) => new RegExp(where).test(exchange))?.why,
        expected: status,
        actual: response.status,
      })
    }
  }
  return verdicts
}
