class MessagesController < ApplicationController
  before_action :authenticate_user!

  def show
    @message = current_user.messages.find(params[:id])
    render json: @message
  end

  def index
    render json: current_user.messages.limit(20)
  end
end
