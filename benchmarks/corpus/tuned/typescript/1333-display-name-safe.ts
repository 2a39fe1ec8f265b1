import Koa from "koa";
import Router from "@koa/router";
import bodyParser from "koa-bodyparser";
import { requireUser } from "./identity";
import { saveProfile } from "./profiles";

const app = new Koa();
const router = new Router();

const DISPLAY_NAME = /^[A-Za-z]+(?:[ '-][A-Za-z]+)*$/;

interface ProfileForm {
  displayName?: unknown;
}

router.put("/profile/name", requireUser, async (ctx) => {
  const form = ctx.request.body as ProfileForm;
  const displayName = typeof form.displayName === "string" ? form.displayName : "";
  if (displayName.length > 80 || !DISPLAY_NAME.test(displayName)) {
    ctx.status = 422;
    ctx.body = { field: "displayName", message: "letters, with single spaces or hyphens" };
    return;
  }
  await saveProfile(ctx.state.user.id, { displayName });
  ctx.status = 204;
});

app.use(bodyParser({ jsonLimit: "16kb" }));
app.use(router.routes());

export default app;
