import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { Bucket } from './bucket.ts'
import { type Files, getMediaFolder, MediaFolder } from './files.ts'

/** Opens the configured file storage: a bucket (S3_BUCKET), otherwise DATA_DIR. */
export const openFiles = (config: Config, log: Logger): Files =>
  openBucket(config, log) ?? new MediaFolder(getMediaFolder(config))

/** Opens the bucket of the configuration, if it names one. */
export const openBucket = (config: Config, log: Logger): Bucket | undefined =>
  config.s3Bucket === undefined ? undefined : new Bucket({ ...config, s3Bucket: config.s3Bucket }, log)
