/** What a process that a test starts gets of our environment: it finds programs, and starts as quickly as the tests (`global-setup.ts`). */
export const childEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
