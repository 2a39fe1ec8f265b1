class MessagesController < ApplicationController
  before_action :authenticate_user!

  def show
    @message = Message.find(params[:id])
    render json: @message
  end

  def index
    render json: current_user.messages.limit(20)
  end
end
