declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http'
  /** A store that speaks as S3 does, on this machine: what is called `S3RVER` may use it, with this same secret. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: readonly { name: string; configs: readonly string[] }[]
    })
    httpServer: Server
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
