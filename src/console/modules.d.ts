declare module 'metadata:*' {
  const metadata: import('./kit/service/field-metadata.ts').ResourceMetadata
  export default metadata
}
declare module '*.css'
declare module 'url:*' {
  /** The url of a script that is not part of another one, such as that of a worker. */
  const url: string
  export default url
}
declare module '*.wasm' {
  /** Its url. */
  const url: string
  export default url
}
declare module '*.svg' {
  /** Its url. */
  const url: string
  export default url
}
