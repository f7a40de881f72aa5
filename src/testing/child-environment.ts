/** The environment of a process that a test starts: it can find programs, and starts as quickly as the tests (`global-setup.ts`). */
export const childEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
