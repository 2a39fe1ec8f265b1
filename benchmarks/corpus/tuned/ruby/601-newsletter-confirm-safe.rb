# frozen_string_literal: true

class ConfirmationsController < ApplicationController
  rate_limit to: 20, within: 1.minute

  def show
    subscription = Subscription.find_by(confirmation_token: params[:token].to_s)
    if subscription.nil?
      redirect_to root_path, alert: t(".unknown")
      return
    end

    subscription.confirm!
    redirect_to after_confirmation, notice: t(".thanks")
  end

  private

  def after_confirmation
    wanted = params[:return_to]
    url_from(wanted) || newsletter_path(anchor: "archive")
  end
end
