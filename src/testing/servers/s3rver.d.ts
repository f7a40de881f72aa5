declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http'
  /** An S3-compatible store on this machine: the access key is `S3RVER`, and so is the secret. */
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
