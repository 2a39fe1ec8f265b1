class SessionsController < ApplicationController
  rate_limit to: 10, within: 3.minutes, only: :create

  def new
    @return_to = params[:return_to]
  end

  def create
    user = User.authenticate_by(email: params[:email].to_s, password: params[:password].to_s)

    if user
      start_session_for(user)
      leave_to(params[:return_to])
    else
      flash.now[:alert] = t('.wrong_credentials')
      render :new, status: :unprocessable_entity
    end
  end

  def destroy
    reset_session
    redirect_to root_path, status: :see_other
  end

  private

  def start_session_for(user)
    reset_session
    session[:user_id] = user.id
    user.touch(:last_seen_at)
  end

  def leave_to(address)
    target = address.presence || dashboard_path
    redirect_to target, allow_other_host: true, status: :see_other
  end
end
