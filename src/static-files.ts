import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { STATIC } from './paths.ts'

/** Serves the files that come with the service under `/static/`, such as the picture that stands for a missing one. */
export async function staticFiles(app: FastifyInstance): Promise<void> {
  // each file is an address of its own: nothing else is looked for in the folder
  await app.register(files, {
    root: STATIC,
    prefix: '/static/',
    wildcard: false,
    index: false,
    maxAge: '1 day',
    decorateReply: false,
  })
}
