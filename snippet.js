'use strict';

const Joi = require('joi');
const mongoose = require('mongoose');
const { requireUser } = require('../middleware/auth');

const memberSchema = new mongoose.Schema({
  displayName: { type: String, maxlength: 60 },
  city: String,
  bio: { type: String, maxlength: 500 },
  role: { type: String, enum: ['member', 'editor', 'admin'], default: 'member' },
  creditCents: { type: Number, default: 0 },
});
const Member = mongoose.model('Member', memberSchema);

const body = Joi.object({ displayName: Joi.string().max(60).required() }).unknown(true);

async function updateProfile(req, res, next) {
  const { value, error } = body.validate(req.body);
  if (error) {
    res.status(422).json({ error: 'displayName is needed' });
    return;
  }
  try {
    const member = await Member.findById(req.user.id).orFail();
    Object.assign(member, value);
    await member.save();
    res.json({ displayName: member.displayName, city: member.city, bio: member.bio });
  } catch (err) {
    next(err);
  }
}

module.exports = (router) => router.put('/profile', requireUser, updateProfile);
