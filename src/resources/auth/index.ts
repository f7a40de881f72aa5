import type { Area } from '../area.ts'
import { login } from './login/login.action.ts'
import { logout, logoutByLink } from './logout/logout.action.ts'

export const auth: Area = { resources: [], actions: [login, logout, logoutByLink] }
