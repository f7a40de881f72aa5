import { registerHooks } from 'node:module'

/**
 * Loaded before the service (`stockroom.js`), and before every process of the tests (`testing/global-setup.ts`): it tells where a module lies that needs no search. Node would read a
 * package.json for the form of each of them, and that of drizzle-orm, which every table imports, is so long that this takes longer
 * than all modules together.
 */
const LONG = 'drizzle-orm'
const own = new URL('./', import.meta.url).href
const found = new Map()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL: from = '' } = context
    const at = (format) => ({ url: new URL(specifier, from).href, format, shortCircuit: true })
    if (specifier.startsWith('.')) {
      if (from.includes(`/node_modules/${LONG}/`)) return at('module')
      return from.startsWith(own) && specifier.endsWith('.ts') ? at('module-typescript') : next(specifier, context)
    }
    if (specifier.split('/', 1)[0] !== LONG || !from.startsWith(own)) return next(specifier, context)
    const before = found.get(specifier)
    if (before) return before
    const now = { ...next(specifier, context), shortCircuit: true }
    found.set(specifier, now)
    return now
  },
})
