import type { Area } from '../area.ts'
import { mailSignInLink } from './generate/generate.action.ts'
import { signInByLink } from './login/login.action.ts'

export const email: Area = { resources: [], actions: [mailSignInLink, signInByLink] }
