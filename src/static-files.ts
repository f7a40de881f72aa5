import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { STATIC } from './paths.ts'

/** Serves the static files of the service under `/static/`, such as the placeholder for a missing image. */
export async function registerStaticFiles(app: FastifyInstance): Promise<void> {
  // each file has its own route: nothing else in the folder is accessible
  await app.register(files, {
    root: STATIC,
    prefix: '/static/',
    wildcard: false,
    index: false,
    maxAge: '1 day',
    decorateReply: false,
  })
}
