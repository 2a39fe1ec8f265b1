# frozen_string_literal: true

class EventsController < ApplicationController
  before_action :authenticate_user!

  PER_PAGE = 40

  def index
    scope = Event.published.includes(:venue)
    scope = scope.where(venue_id: params[:venue_id]) if params[:venue_id].present?
    scope = between(scope, params[:from], params[:to])
    @events = scope.order(starts_at: :asc).limit(PER_PAGE)
    render json: @events.map { |event| summary(event) }
  end

  private

  def between(scope, from, to)
    limits = []
    limits << ["starts_at >= ?", from] if from.present?
    limits << ["starts_at < ?", to] if to.present?
    limits.reduce(scope) { |narrowed, (clause, value)| narrowed.where(clause, value) }
  end

  def summary(event)
    { id: event.id, title: event.title, venue: event.venue&.name, starts_at: event.starts_at }
  end
end
