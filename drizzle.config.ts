import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/kit/*/*.table.ts', './src/resources/**/*.table.ts'],
  out: './migrations',
})
